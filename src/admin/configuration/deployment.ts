import type { Environment } from '../../platform/index.js';

/** What a configuration must know of the deployment that it is for. */
export type Deployment = Pick<Environment, 'mode' | 'isLoopback' | 'sandboxOpen'>;
