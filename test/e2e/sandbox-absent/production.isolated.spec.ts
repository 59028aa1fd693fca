// Isolated: a service in production mode.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModulesContainer } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import { PRODUCTION_GATEWAYS } from '../../support/production-configuration.js';
import { servedRoutes } from '../../support/served-routes.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { type ProductionService, startProduction } from '../contract/production-service.js';

const FOLDER = projectPath('src/sandbox');
const CLASS = /^export (?:abstract )?class (\w+)/gm;

/** Every class that simulates an outside system, including files that are added later. */
const SIMULATED = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .flatMap((file) => [...readFileSync(join(FOLDER, file), 'utf8').matchAll(CLASS)])
  .map(([, name]) => name);

let sandbox: TestService;
let production: ProductionService;

beforeAll(async () => {
  [sandbox, production] = await Promise.all([sharedService(), startProduction()]);
});

afterAll(() => production.close());

/** The names of all modules, controllers and providers of Nest. */
function partsOf(service: TestService): Set<string> {
  const modules = [...service.get<ModulesContainer>(ModulesContainer).values()];
  const names = modules.flatMap(({ name, controllers, providers }) => [
    name,
    ...[...controllers.values(), ...providers.values()].map((part) => part.name),
  ]);
  return new Set(names.map((name: unknown) => String(name)));
}

const isOfTheSandbox = ({ path }: { path: string }) => /\/sandbox(\/|$)/.test(path);

describe('the sandbox', () => {
  it('has its pages and its stand-ins: what is missing in production is really there here', () => {
    const paths = servedRoutes(sandbox).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/sandbox/provider/:token']));
    const parts = partsOf(sandbox);
    expect(parts).toContain('SandboxModule');
    expect(SIMULATED.filter((name) => parts.has(name)).length).toBeGreaterThan(5);
  });
});

describe('production', () => {
  it('answers 404 under every address that the sandbox has', async () => {
    expect(servedRoutes(production).filter(isOfTheSandbox)).toEqual([]);
    const addresses = servedRoutes(sandbox).filter(isOfTheSandbox);
    expect(addresses.length).toBeGreaterThan(3);
    for (const { method, path } of addresses) {
      const target = path.replaceAll(/:\w+/g, 'rdr_0123.abc');
      const response = await fetch(`${production.address}${target}`, {
        method,
        redirect: 'manual',
        ...(method === 'POST' && { body: 'decision=approve' }),
      });
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });

  it('has made none of the stand-ins, nor loaded their modules', () => {
    const parts = partsOf(production);
    expect(parts).toContain('ApplicantWebModule');
    expect(SIMULATED.filter((name) => parts.has(name))).toEqual([]);
  });
});

it('payments in production take Razorpay’s callbacks with the secret of the configuration only', async () => {
  const post = (path: string, { headers, body }: Webhook) =>
    fetch(`${production.address}${path}`, { method: 'POST', headers, body });
  const event = { event: 'payment_link.paid' };
  const { webhookSecret } = PRODUCTION_GATEWAYS.payment.razorpay;
  for (const [path, callback, status] of [
    ['/callbacks/payments/razorpay', signedWebhook(event, 'evt_1', webhookSecret), 200],
    ['/callbacks/payments/razorpay', signedWebhook(event, 'evt_2', 'another'), 401],
    ['/callbacks/payments/sandbox', signedWebhook({}, 'evt_3'), 404],
    ['/sandbox/payment/any', signedWebhook({}, 'evt_3'), 404],
  ] as const) {
    expect([path, (await post(path, callback)).status]).toEqual([path, status]);
  }
});
