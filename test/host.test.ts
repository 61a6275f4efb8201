import { CAPABILITIES } from './host';

/** On older versions of n8n, `npm run compatibility` runs this too, to tell what they lack. */
test.each(Object.entries(CAPABILITIES))('this n8n has the capability %s', (_, { isThere }) => {
	expect(isThere()).toBe(true);
});
