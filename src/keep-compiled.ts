import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Has what Node compiles of the modules that are imported from now on kept in `dist/compiled`, where that can be
 * written: compiling is a third of a start. It is written when the process ends.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../compiled', import.meta.url)));
}
