import type { Deployment } from '../../src/admin/index.js';
import { lenderAdapters } from '../../src/composition.js';

/** What a configuration file of a test is checked against: a developer's machine. */
export const SANDBOX_DEPLOYMENT: Deployment = {
  mode: 'sandbox',
  isLoopback: true,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: lenderAdapters('sandbox'),
};

/** Production, of a build with a connector to real lenders; nothing is behind it. */
export const PRODUCTION_DEPLOYMENT: Deployment = {
  mode: 'production',
  isLoopback: false,
  privateNetworks: [],
  sandboxOpen: false,
  lenderAdapters: ['wire'],
};

/**
 * A service in production mode. Its port is its own: a test asks it where it listens. Its database is the tests' own,
 * which writes nothing through.
 */
export const PRODUCTION_VARIABLES = {
  MODE: 'production',
  BASE_URL: 'https://loans.example',
  DATABASE_LOSS_ACCEPTED: 'true',
};
