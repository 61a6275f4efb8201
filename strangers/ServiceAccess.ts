/** Where a service is, and how to get in. */
export interface ServiceAccess {
	url: string;
	apiKey: string;
}
