/**
 * The whole built service with one more address: the offers' page from a fixed model. So this measures the service's
 * overhead for a page, without queries. bench/screens.ts starts it as a separate process.
 */
import type { Request, Response } from 'express';
import { built } from '../support/built-service.ts';
import { OFFERS_MODEL, OFFERS_VIEW } from './offers-model.ts';

type Platform = typeof import('../../src/platform/index.js');
type Application = typeof import('../../src/create-application.js');

const { parseEnvironment, Screens } = await built<Platform>('src/platform/index.js');
const { createApplication } = await built<Application>('src/create-application.js');

const app = await createApplication(parseEnvironment(process.env));
const screens = app.get(Screens);
app.use('/offers', (request: Request, response: Response) => {
  void screens.render(request, response, OFFERS_VIEW, OFFERS_MODEL);
});
await app.listen(0, '127.0.0.1');
process.send?.({ port: Number(new URL(await app.getUrl()).port) });
