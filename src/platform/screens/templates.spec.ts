import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../database/data-source.js';
import { Assets } from './assets/assets.js';
import { screenHelpers } from './screen-helpers.js';

type PrecompileOptions = NonNullable<Parameters<typeof Handlebars.precompile>[1]>;

const VIEWS = projectPath('views');
const FILES = readdirSync(VIEWS, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.hbs'),
);
const KNOWN = Object.fromEntries(
  Object.keys(screenHelpers(new Assets())).map((name) => [name, true]),
);
const CALLED = /\{\{~?#?>\s*([\w/-]+)/g;

describe('the templates of views', () => {
  it.each(FILES)('%s calls nothing that is not there', (file) => {
    const source = readFileSync(join(VIEWS, file), 'utf8');
    const options = { knownHelpers: KNOWN, knownHelpersOnly: true } as unknown as PrecompileOptions;
    expect(() => Handlebars.precompile(source, options)).not.toThrow();
    const partials = [...source.matchAll(CALLED)].map(([, name]) => `partials/${name}.hbs`);
    expect(partials.filter((partial) => !FILES.includes(partial))).toEqual([]);
  });
});
