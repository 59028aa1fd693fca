import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import type { ScreenData } from './screen-data.js';

type Template = Handlebars.TemplateDelegate<object>;

const VIEW_SUFFIX = '.hbs';

/** A partial's name is its path: `ui/fold`. Unknown helpers fail at compilation. */
export class Templates {
  private readonly handlebars = Handlebars.create();
  private readonly compiled = new Map<string, Template>();
  private readonly knownHelpers: Record<string, boolean>;

  constructor(
    private readonly folder: string,
    helpers: Record<string, (...parameters: unknown[]) => unknown>,
  ) {
    this.handlebars.registerHelper(helpers as Handlebars.HelperDeclareSpec);
    this.knownHelpers = Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
    for (const name of namesIn(join(folder, 'partials'))) {
      this.handlebars.registerPartial(name, this.compile(`partials/${name}`, false));
    }
  }

  /** @throws Error when the view is missing or does not compile */
  render(name: string, model: object, data: ScreenData): string {
    let template = this.compiled.get(name);
    if (!template) {
      template = this.compile(name, true);
      this.compiled.set(name, template);
    }
    return template(model, { data });
  }

  /** Otherwise a model's `name` could leak into a button. */
  private compile(name: string, isPage: boolean): Template {
    const source = readFileSync(join(this.folder, `${name}${VIEW_SUFFIX}`), 'utf8');
    return this.handlebars.compile(source, {
      knownHelpers: this.knownHelpers,
      knownHelpersOnly: true,
      explicitPartialContext: isPage,
    });
  }
}

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(VIEW_SUFFIX))
    .map((file) => file.slice(0, -VIEW_SUFFIX.length));
}
