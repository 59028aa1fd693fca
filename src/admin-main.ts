import { keepCompiled } from './keep-compiled.js';

keepCompiled();
await import('./administer.js');
