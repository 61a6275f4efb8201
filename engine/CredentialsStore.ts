import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** Gives the engine decrypted credentials by type, in place of n8n's database. */
export class CredentialsStore extends ICredentialsHelper {
	constructor(
		private readonly types: Record<string, ICredentialType>,
		private readonly data: Record<string, ICredentialDataDecryptedObject>,
		/** Is called before each request that n8n signs with a credential. */
		private readonly onRequest: () => void,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		this.onRequest();
		const { authenticate } = this.typeNamed(typeName);
		if (typeof authenticate !== 'function') throw new Error(`"${typeName}" has no authenticate function`);
		return await authenticate(credentials, requestOptions);
	}

	async preAuthentication(
		_helpers: IHttpRequestHelper,
		_credentials: ICredentialDataDecryptedObject,
		_typeName: string,
	): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(_details: INodeCredentialsDetails, _type: string): Promise<ICredentials> {
		throw new Error('Encrypted credentials are not kept here');
	}

	async getDecrypted(
		_additionalData: unknown,
		_details: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		run?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.data[typeName];
		if (!data) throw new Error(`No credential of type "${typeName}" is set`);
		if (!run) return { ...data };
		// As in n8n, an expression in a credential may refer to the input of the node.
		return run.workflow.expression.getParameterValue(
			data as INodeParameters,
			run.runExecutionData,
			run.runIndex,
			run.itemIndex,
			run.node.name,
			run.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(typeName: string): INodeProperties[] {
		return this.typeNamed(typeName).properties;
	}

	private typeNamed(name: string): ICredentialType {
		const type = this.types[name];
		if (!type) throw new Error(`There is no credential type "${name}"`);
		return type;
	}
}
