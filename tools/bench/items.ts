import type { IDataObject } from 'n8n-workflow';

/** Makes items with customer messages of one to two hundred characters. */
export function makeItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		id: index,
		customer: `customer-${index % 977}@example.com`,
		text: `Message ${index}: ${TEXTS[index % TEXTS.length]}`,
	}));
}

const TEXTS = [
	'my card was stolen on the train this morning and there are three payments on it that I did not make. Please block it at once.',
	'how long does a transfer to another country take, and which exchange rate is used when it is sent on a weekend?',
	'the machine kept my card. I am abroad until Sunday and have no other way to pay. What can I do now?',
	'I would like to change the address that my statements are sent to, I moved two weeks ago and the form does not let me.',
	'why was I charged a fee for withdrawing cash? The terms that I signed say that it is free up to five times a month.',
];

export const QUESTION = {
	id: 'urgent',
	instructions: 'Is it urgent: is money or a card lost, stolen, wrong, missing or not working?',
};
