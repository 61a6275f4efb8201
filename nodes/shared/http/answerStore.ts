import { AnswerStore } from '../../../client/answers/AnswerStore';

/** All nodes share one store, because n8n makes a new node for every run. */
export const answerStore = new AnswerStore();
