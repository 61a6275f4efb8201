/** Describes the business of a new user, with its teams and messages from its customers. */
export interface Business {
	name: string;
	/** Holds the tasks of each team, by the team's name. */
	teams: Record<string, string>;
	/** Holds messages, each with the team that should get it. */
	messages: Array<[text: string, team: string]>;
}

export const businesses: Business[] = [
	{
		name: 'a library',
		teams: {
			Loans: 'Borrowing, renewing, reserving and returning books and films',
			Events: 'Readings, courses, story time for children, and meeting rooms',
			Membership: 'Library cards, fees, addresses and signing in',
		},
		messages: [
			['Can I renew the two novels I borrowed last week? I need another fortnight.', 'Loans'],
			['I returned a book on Monday but my account still shows it as borrowed.', 'Loans'],
			['Is there a waiting list for the new cookbook, and can you reserve it for me?', 'Loans'],
			['The DVD I took home is scratched and will not play.', 'Loans'],
			['What time does story time for toddlers start on Saturdays?', 'Events'],
			['I would like to sign up for the creative writing course in March.', 'Events'],
			['Could our reading group use the meeting room on Thursday evening?', 'Events'],
			['I have moved house. How do I change the address on my library card?', 'Membership'],
			['My daughter turns six. What does a card for children cost per year?', 'Membership'],
			['I lost my card on the bus and need a replacement.', 'Membership'],
		],
	},
	{
		name: 'a dentist',
		teams: {
			Appointments: 'Making, moving and cancelling appointments, check-ups, and opening hours',
			Emergencies: 'Toothache, broken teeth, swelling, bleeding and lost fillings',
			Invoices: 'Bills, insurance, cost estimates and paying in instalments',
		},
		messages: [
			['I need to move my appointment on Tuesday to next week.', 'Appointments'],
			['Do you have anything free on Friday morning for a check-up?', 'Appointments'],
			['Please cancel my cleaning tomorrow, I have a cold.', 'Appointments'],
			['Are you open between Christmas and New Year?', 'Appointments'],
			['My tooth has been hurting since last night and I cannot sleep.', 'Emergencies'],
			['A piece of my front tooth broke off while eating.', 'Emergencies'],
			['My cheek is swollen and I have a fever.', 'Emergencies'],
			['Does my insurance pay for the crown you suggested?', 'Invoices'],
			['I received a bill for a cleaning that I have already paid.', 'Invoices'],
			['Can I pay for the implant in instalments?', 'Invoices'],
		],
	},
	{
		name: 'a bicycle shop',
		teams: {
			Repairs: 'Flat tyres, brakes, gears, services, and when a repair is ready',
			Sales: 'Prices, models, sizes, what is in stock, and test rides',
			Orders: 'Deliveries, returns and refunds of online orders',
		},
		messages: [
			['The rear brake squeals and hardly stops the bike any more.', 'Repairs'],
			['I have a flat tyre, can you mend it today?', 'Repairs'],
			['When can I pick up my bike from the service?', 'Repairs'],
			['My gears skip whenever I pedal uphill.', 'Repairs'],
			['Do you have this city bike in size 54, and what does it cost?', 'Sales'],
			['I would like to test ride an electric bike on Saturday.', 'Sales'],
			['Which child seat fits a trekking bike?', 'Sales'],
			['My parcel with the helmet has not arrived yet.', 'Orders'],
			['I want to send back the gloves I ordered online, they are too small.', 'Orders'],
			['You refunded only one of the two lights I returned.', 'Orders'],
		],
	},
];
