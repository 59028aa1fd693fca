import { projectPath } from '../database/data-source.js';
import { AnsweringThread, type ThreadOptions } from './answering-thread.js';

const FILE = projectPath('dist/src/platform/threads/function-worker.js');

interface FunctionOptions extends Pick<ThreadOptions, 'name' | 'hangsAfterMs'> {
  /** As it was built; its default export is given an order and resolves with the answer. */
  readonly module: URL;
}

/** A thread that has nothing to set up or to let go of: all it does is call a function. */
export function functionThread<Order, Answer>({
  module,
  ...options
}: FunctionOptions): AnsweringThread<Order, Answer> {
  return new AnsweringThread({ ...options, file: FILE, workerData: module.href });
}
