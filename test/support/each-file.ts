import { afterAll, vi } from 'vitest';
import { recordsCpu } from '../times/file-cpu.ts';
import { finishFile } from './after-file.ts';
import { checksAnswers } from './documented-answers.ts';
import { leavesNothingBehind } from './left-behind.ts';

// From before a spec file is loaded until after its last hook.
recordsCpu();
checksAnswers();
leavesNothingBehind();
afterAll(async () => {
  // The next file of the worker uses the same service.
  vi.restoreAllMocks();
  await finishFile();
});
