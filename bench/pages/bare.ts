/**
 * The yardstick: Express with `hbs`, as their documentation shows, with the same templates, helpers and data.
 * bench/screens.ts starts it as a separate process.
 */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { built } from '../support/built-service.ts';
import { OFFERS_MODEL, OFFERS_VIEW } from './offers-model.ts';

/** The used part of `hbs`, which has no types. */
interface Hbs {
  registerHelper(name: string, helper: (...parameters: unknown[]) => unknown): void;
  registerPartials(folder: string, options: object, done: () => void): void;
  localsAsTemplateData(app: object): void;
}

type Assets = typeof import('../../src/platform/screens/assets/assets.js');
type Helpers = typeof import('../../src/platform/screens/screen-helpers.js');

const VIEWS = fileURLToPath(new URL('../../views', import.meta.url));
const PERSON = { name: 'Anjali Rao', phone: '1800 000 1200', email: 'help@loans.example' };

const { Assets } = await built<Assets>('src/platform/screens/assets/assets.js');
const { screenHelpers } = await built<Helpers>('src/platform/screens/screen-helpers.js');

const hbs = createRequire(import.meta.url)('hbs') as Hbs;
const app = express();
app.set('views', VIEWS);
app.set('view engine', 'hbs');
app.enable('view cache');
for (const [name, helper] of Object.entries(screenHelpers(new Assets()))) {
  hbs.registerHelper(name, helper);
}
await new Promise<void>((resolve) => {
  const asIs = { rename: (name: string) => name };
  hbs.registerPartials(`${VIEWS}/partials`, asIs, () => resolve());
});
hbs.localsAsTemplateData(app);
Object.assign(app.locals, {
  language: 'en',
  brand: {
    displayName: 'Rinpath',
    support: PERSON,
    grievance: PERSON,
    styleUrl: '/assets/brand.css',
    iconUrl: '/assets/brand-icon',
    logo: { url: '/assets/brand-logo', isWordmark: false, width: 34, height: 34 },
  },
  path: '/offers',
  dataHref: '/data',
  errors: [],
  entered: {},
  isSandbox: true,
});
app.get('/offers', (_request, response) => {
  response.render(OFFERS_VIEW, { ...OFFERS_MODEL, layout: 'layouts/screen', title: 'Offers' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
