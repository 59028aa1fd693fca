import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseEnvironment } from '../../platform/index.js';
import { readConfigurationFile } from '../configuration-file.js';
import { SANDBOX, withValue } from './configuration-example.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-named-files-'));
  writeFileSync(join(folder, 'a-file'), 'a file where a folder belongs');
  writeFileSync(join(folder, 'drawing.svg'), '<svg/>');
  mkdirSync(join(folder, 'damaged'));
  writeFileSync(join(folder, 'damaged/master-key'), 'no key');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readWith(place: (string | number)[], path: string): void {
  const file = join(folder, 'configuration.yaml');
  writeFileSync(file, stringify(withValue(place, path)));
  readConfigurationFile(file, SANDBOX, {});
}

const readEnvironment = (name: string, file: string) => () =>
  parseEnvironment({ [name]: relative('.', join(folder, file)) });
const readFile = () => {
  const { configFile } = parseEnvironment({
    CONFIG_FILE: relative('.', join(folder, 'nowhere.yaml')),
    DATA_DIR: join(folder, 'data'),
  });
  readConfigurationFile(configFile, SANDBOX, {});
};

/** Every file that the configuration or a variable names and that the service reads at its start. */
describe('a file that is not as it should be is named by its whole path', () => {
  it.each<[string, string, () => void]>([
    ['brand.logo', 'nowhere.png', () => readWith(['brand', 'logo'], 'nowhere.png')],
    ['brand.logo of another form', 'drawing.svg', () => readWith(['brand', 'logo'], 'drawing.svg')],
    ['partners[0].logo', 'no/logo.png', () => readWith(['partners', 0, 'logo'], 'no/logo.png')],
    ['lenders[0].logo', 'no/logo.png', () => readWith(['lenders', 0, 'logo'], 'no/logo.png')],
    ['CONFIG_FILE', 'nowhere.yaml', readFile],
    ['DATA_DIR', 'a-file', readEnvironment('DATA_DIR', 'a-file')],
    ['DATA_DIR with a damaged key', 'damaged/master-key', readEnvironment('DATA_DIR', 'damaged')],
  ])('%s', (_, file, read) => {
    expect(read).toThrow(join(folder, file));
  });

  it('says what a logo’s path is relative to', () => {
    expect(() => readWith(['brand', 'logo'], 'nowhere.png')).toThrow(
      'relative to the folder of the configuration file',
    );
  });
});
