import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import type { ScreenData } from './screen-data.js';

type Template = Handlebars.TemplateDelegate<object>;

const VIEW_SUFFIX = '.hbs';

/**
 * The templates of a folder, compiled once each. The files of `partials` are known by their paths: `ui/fold`.
 * A template can call the given helpers and no other: a mistyped one fails when it is compiled.
 */
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

  /** @throws Error when there is no such view, or it cannot be compiled */
  render(name: string, model: object, data: ScreenData): string {
    let template = this.compiled.get(name);
    if (!template) {
      template = this.compile(name, true);
      this.compiled.set(name, template);
    }
    return template(model, { data });
  }

  /**
   * A page hands a partial what it names and nothing else (`{{> button labelKey="…"}}`, or
   * `{{> offer-card this}}`): a model's own `name` or `value` would find its way into the button.
   */
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
