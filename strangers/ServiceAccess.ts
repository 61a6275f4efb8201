/** The address and the key of a service. */
export interface ServiceAccess {
	url: string;
	apiKey: string;
}
