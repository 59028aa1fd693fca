import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openTypeFile } from '../../src/key-facts/pdf/drawing/open-type-file.ts';

const PARTS = ['latin', 'latin-ext', 'devanagari'].flatMap((part) =>
  [400, 600].map((weight) => `mukta-${part}-${weight}`),
);
/**
 * A phone's font has all weights in one family, but the files of weight 600 name another family. Without this rule bold
 * Latin text would be in the regular weight.
 */
const ONE_FAMILY =
  '<match target="scan"><test name="family" compare="contains"><string>Mukta</string></test>' +
  '<edit name="family" mode="assign" binding="same"><string>Mukta</string></edit></match>' +
  // As on a phone; otherwise bold is an artificially thickened regular weight.
  '<match target="scan"><test name="file" compare="contains"><string>mukta-devanagari</string></test>' +
  '<edit name="family" mode="assign" binding="same"><string>Noto Sans Devanagari</string></edit></match>';
const OWN_OF_MACHINE = '/etc/fonts/fonts.conf';

/** The system font for pages in other languages than English: phones have it, build machines do not. */
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
