import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Uses `dist/compiled`, if writable: compiling is a third of the start. */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../compiled', import.meta.url)));
}
