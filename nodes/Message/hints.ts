import type { NodeHint } from 'n8n-workflow';

const WHERE_FROM =
	"Copy a name from the list of models in the service's documentation: it looks like vendor/model_name.";

/** Shown in the editor. n8n itself only says that a model is required. */
export const hints: NodeHint[] = [
	hintFor('', `Model is empty. ${WHERE_FROM}`),
	hintFor('Kev-4B', `Kev-4B answers decisions only. ${WHERE_FROM}`),
];

function hintFor(model: string, message: string): NodeHint {
	return {
		message,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'always',
		displayCondition: `={{ $parameter["model"] === ${JSON.stringify(model)} }}`,
	};
}
