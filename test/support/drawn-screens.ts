import { Screens } from '../../src/platform/index.js';
import type { TestService } from './service.js';

export interface DrawnScreen {
  readonly name: string;
  readonly html: string;
}

interface Drawing {
  html(request: unknown, response: unknown, name: string, model: unknown): Promise<string>;
}

/** Reports every page that the service draws from now on. */
export function onEachScreen(service: TestService, tell: (screen: DrawnScreen) => void): void {
  const screens = service.get<Screens>(Screens) as unknown as Drawing;
  const draw = screens.html.bind(screens);
  screens.html = async (request, response, name, model) => {
    const html = await draw(request, response, name, model);
    tell({ name, html });
    return html;
  };
}
