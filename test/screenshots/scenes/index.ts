import type { Scene } from '../stage.ts';
import { commonScenes } from './common.ts';
import { documentScenes } from './documents.ts';
import { entryScenes } from './entry.ts';
import { headlessScenes } from './headless.ts';
import { instantScenes } from './instant.ts';
import { stepScenes } from './steps.ts';

/** Every walk, in the order of the folder's pictures. */
export const SCENES: readonly Scene[] = [
  ...commonScenes,
  ...entryScenes,
  ...stepScenes,
  ...headlessScenes,
  ...instantScenes,
  ...documentScenes,
];
