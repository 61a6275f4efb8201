/** What a request to the service is signed with. */
export interface Credential {
	/** Absolute, with the version, without trailing slashes. */
	baseUrl: string;
	apiKey: string;
}
