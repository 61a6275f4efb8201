/** These are the intents of BANKING77, by the team of the demo's workflow that would answer them. */
const INTENTS: Record<string, string> = {
	cards: `
		activate_my_card apple_pay_or_google_pay card_about_to_expire card_acceptance card_arrival
		card_delivery_estimate card_linking card_not_working card_swallowed change_pin compromised_card
		contactless_not_working declined_card_payment disposable_card_limits get_disposable_virtual_card
		get_physical_card getting_spare_card getting_virtual_card lost_or_stolen_card order_physical_card
		pending_card_payment pin_blocked supported_cards_and_currencies virtual_card_not_working
		visa_or_mastercard
	`,
	transfers: `
		Refund_not_showing_up balance_not_updated_after_bank_transfer beneficiary_not_allowed cancel_transfer
		card_payment_not_recognised declined_transfer direct_debit_payment_not_recognised failed_transfer
		pending_transfer receiving_money request_refund reverted_card_payment? transaction_charged_twice
		transfer_into_account transfer_not_received_by_recipient transfer_timing
	`,
	'top-ups': `
		automatic_top_up balance_not_updated_after_cheque_or_cash_deposit pending_top_up
		top_up_by_bank_transfer_charge top_up_by_card_charge top_up_by_cash_or_cheque top_up_failed top_up_limits
		top_up_reverted topping_up_by_card verify_top_up
	`,
	account: `
		age_limit country_support edit_personal_details lost_or_stolen_phone passcode_forgotten terminate_account
		unable_to_verify_identity verify_my_identity verify_source_of_funds why_verify_identity
	`,
	'exchange and fees': `
		atm_support card_payment_fee_charged card_payment_wrong_exchange_rate cash_withdrawal_charge
		cash_withdrawal_not_recognised declined_cash_withdrawal exchange_charge exchange_rate exchange_via_app
		extra_charge_on_statement fiat_currency_support pending_cash_withdrawal transfer_fee_charged
		wrong_amount_of_cash_received wrong_exchange_rate_for_cash_withdrawal
	`,
};

const TEAM_OF_INTENT = new Map(
	Object.entries(INTENTS).flatMap(([team, intents]) =>
		intents
			.trim()
			.split(/\s+/)
			.map((intent) => [intent, team] as const),
	),
);

/** Returns the answer that a person would expect for a message of this intent, undefined for an intent that is not known. */
export function teamOfIntent(intent: unknown): string | undefined {
	return typeof intent === 'string' ? TEAM_OF_INTENT.get(intent) : undefined;
}
