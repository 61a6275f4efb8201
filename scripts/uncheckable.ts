/** What n8n's reviewers look at, or what only the registry knows: no program can check it before a version is published. */
export const UNCHECKABLE: Array<{ rule: string; reason: string }> = [
	{
		rule: 'the published version has provenance, and its commit is public',
		reason: 'npm knows after publishing: npx @n8n/scan-community-package n8n-nodes-inference-service',
	},
	{
		rule: "npm's maintainer is the author that package.json names, and owns the repository",
		reason: 'n8n compares the accounts',
	},
	{
		rule: 'one service in one package, and no node that n8n has already',
		reason: 'a person judges it; docs/verification.md has what to ask beforehand',
	},
	{
		rule: 'no node for logic or flow control',
		reason: 'a person judges it: "Route" of Inference Decision is the case to ask about',
	},
	{ rule: "texts and parameters after n8n's UX guidelines", reason: 'checked above as far as rules go' },
	{ rule: 'a video of at most five minutes in one take', reason: 'docs/verification.md has its script' },
	{
		rule: 'n8n-node lint without findings outside nodes and credentials',
		reason:
			'it applies the rules for nodes to every TypeScript file, to tests and tools too; n8n lints the two folders only when it verifies',
	},
];
