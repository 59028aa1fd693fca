import { recordsCpu } from '../times/file-cpu.ts';
import { leavesNothingBehind } from './left-behind.ts';

// Begins before a spec file is loaded, and ends after its last hook.
recordsCpu();
leavesNothingBehind();
