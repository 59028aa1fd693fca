import type { ScreenModel } from './screens.js';

/** A page: views/<name>.hbs in the layout. */
export class Page {
  /** @param status 200 when left out, or what the handler's `@HttpCode` says */
  constructor(
    readonly name: string,
    readonly model: ScreenModel,
    readonly status?: number,
  ) {}
}

/** Another address, to be asked for by GET. */
export class SeeOther {
  constructor(readonly path: string) {}
}

/** Another site's page, after a posted form; see `Screens.leave`. */
export class LeaveTo {
  /** @param name what the applicant knows that site by */
  constructor(
    readonly url: string,
    readonly name: string,
  ) {}
}

/** A file to look at or to keep. */
export class PageFile {
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly body: Buffer,
  ) {}
}

/** What the handlers of screens answer; `ScreenInterceptor` sends it. */
export type ScreenAnswer = Page | SeeOther | LeaveTo | PageFile;
