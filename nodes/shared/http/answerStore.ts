import { AnswerStore } from '../../../client/answers/AnswerStore';

/** One for the process, as n8n makes a new node for every run. */
export const answerStore = new AnswerStore(Date.now);
