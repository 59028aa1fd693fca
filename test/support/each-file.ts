import { afterAll, vi } from 'vitest';
import { recordsCpu } from '../times/file-cpu.ts';
import { finishFile } from './after-file.ts';
import { leavesNothingBehind } from './left-behind.ts';

// Begins before a spec file is loaded, and ends after its last hook.
recordsCpu();
leavesNothingBehind();
afterAll(async () => {
  // The next file of the worker has the same service.
  vi.restoreAllMocks();
  await finishFile();
});
