import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SANDBOX, SHIPPED } from './configuration/configuration-example.js';
import { ConfigurationError } from './refusal.js';
import { readConfigurationFile } from './configuration-file.js';

const folder = mkdtempSync(join(tmpdir(), 'rinpath-configuration-'));
const file = join(folder, 'configuration.yaml');

afterAll(() => rmSync(folder, { recursive: true }));

describe('a file that holds no configuration', () => {
  it.each([
    ['a tab', 'version: 1\n\tsettings: {}'],
    ['an open quote', 'version: "1'],
    ['an open bracket', 'partners: [{id: a'],
    ['a text', 'hello'],
    ['a list', '- 1'],
    ['nothing', ''],
  ])('with %s is refused as such', (_, text) => {
    writeFileSync(file, text);
    expect(() => readConfigurationFile(file, SANDBOX, {})).toThrow(ConfigurationError);
  });

  it('cut at any of eight places is refused as such', () => {
    for (let end = 0; end < SHIPPED.length; end += 3_001) {
      writeFileSync(file, SHIPPED.slice(0, end));
      expect(() => readConfigurationFile(file, SANDBOX, {})).toThrow(ConfigurationError);
    }
  });
});
