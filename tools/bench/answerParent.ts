import type { Question, Reply } from './Child';

/** Answers the questions of the process that started this one, and ends together with it. */
export function answerParent<Asked>(answer: (asked: Asked) => Promise<unknown>): void {
	process.on('message', ({ id, content }: Question) => {
		const send = (reply: Reply) => process.send?.(reply);
		answer(content as Asked).then(
			(reply) => send({ id, content: reply }),
			(error: unknown) => send({ id, problem: error instanceof Error ? String(error.stack) : String(error) }),
		);
	});
	process.once('disconnect', () => process.exit());
}
