import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openTypeFile } from '../../src/key-facts/pdf/drawing/open-type-file.ts';

const PARTS = ['latin', 'latin-ext', 'devanagari'].flatMap((part) =>
  [400, 600].map((weight) => `mukta-${part}-${weight}`),
);
/**
 * A phone's font has its weights in one family. The files of weight 600 name a family of their own: without
 * this rule nothing is found for a bold text, and Latin letters stand in the regular weight.
 */
const ONE_FAMILY =
  '<match target="scan"><test name="family" compare="contains"><string>Mukta</string></test>' +
  '<edit name="family" mode="assign" binding="same"><string>Mukta</string></edit></match>' +
  // As on a phone: else its bold is the regular weight, thickened.
  '<match target="scan"><test name="file" compare="contains"><string>mukta-devanagari</string></test>' +
  '<edit name="family" mode="assign" binding="same"><string>Noto Sans Devanagari</string></edit></match>';
const OWN_OF_MACHINE = '/etc/fonts/fonts.conf';

/**
 * The system's font of the browsers in tests, which phones have and build machines have not: the one that pages are
 * read in whose language is not English.
 */
export function browserFonts(): Record<string, string> {
  const folder = join(tmpdir(), `rinpath-fonts-${userInfo().uid}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  for (const part of PARTS) {
    const woff = readFileSync(resolve(`@fontsource/mukta/files/${part}-normal.woff`));
    writeFileSync(join(folder, `${part}.ttf`), openTypeFile(woff));
  }
  const file = join(folder, 'fonts.conf');
  writeFileSync(file, configurationOf(folder));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { FONTCONFIG_FILE: file };
}

function configurationOf(folder: string): string {
  const first = (family: string) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>Mukta</string></edit></match>`;
  return (
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>` +
    `<include ignore_missing="yes">${OWN_OF_MACHINE}</include><dir>${folder}</dir>` +
    `<cachedir>${folder}/cache</cachedir>${ONE_FAMILY}` +
    `${first('system-ui')}${first('sans-serif')}</fontconfig>`
  );
}
