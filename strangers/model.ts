/** The model of the contract's examples, which every server here knows. */
export const MODEL = 'vendor/model_name';
