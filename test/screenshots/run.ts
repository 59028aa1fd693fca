/**
 * Writes every screen as a picture, on a phone and on a desktop, in both languages, in the dark, in forced colours and
 * enlarged to 400 %: `screenshots/<look>/<scene>-<screen>.png`. Run by plain `node` on a built service; exits with 1
 * when a scene could not be played, or a screen is wider than its window or asks another host. `--scene` and `--look`
 * can be given several times.
 *
 *     node test/screenshots/run.ts [--scene entry] [--look phone] [--into /tmp/pictures]
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { startBuiltService } from '../../bench/support/built-service.ts';
import { openRunDatabase } from '../faults/run-database.ts';
import { launchBrowser } from '../support/browser-visit.ts';
import { SCENES } from './scenes/index.ts';
import { type Look, LOOKS, type Scene, Stage } from './stage.ts';

const FIRST_MOBILE = 9_800_000_000;

const { values: wanted } = parseArgs({
  options: {
    scene: { type: 'string', multiple: true },
    look: { type: 'string', multiple: true },
    into: { type: 'string' },
  },
});
const FOLDER = wanted.into ?? fileURLToPath(new URL('../../screenshots/', import.meta.url));

/** Every scene in every look that was asked for, one after the other. */
async function playAll(browser: Browser, baseUrl: string): Promise<string[]> {
  const problems: string[] = [];
  let mobile = FIRST_MOBILE;
  for (const look of LOOKS.filter(({ name }) => wanted.look?.includes(name) ?? true)) {
    for (const scene of SCENES.filter(({ name }) => wanted.scene?.includes(name) ?? true)) {
      mobile += 1;
      problems.push(...(await play(browser, baseUrl, { look, scene, mobile: String(mobile) })));
    }
  }
  return problems;
}

async function play(
  browser: Browser,
  baseUrl: string,
  { look, scene, mobile }: { look: Look; scene: Scene; mobile: string },
): Promise<string[]> {
  const stage = await Stage.open(browser, baseUrl, { look, folder: FOLDER, mobile });
  const problems: string[] = [];
  try {
    await scene.play(stage);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    problems.push(`${look.name}/${scene.name} stopped at ${stage.page.url()}: ${message}`);
    await stage.shoot(`${scene.name}-stopped-here`).catch(() => undefined);
  } finally {
    await stage.close();
  }
  process.stdout.write(`${look.name}/${scene.name}: ${stage.shots} pictures\n`);
  return [
    ...problems,
    ...stage.tooWide.map((screen) => `${screen} can be scrolled sideways`),
    ...stage.foreignRequests.map((url) => `${look.name}/${scene.name} asked ${url}`),
  ];
}

// A folder that was named may hold pictures of other looks, which are kept.
if (!wanted.into) rmSync(FOLDER, { recursive: true, force: true });
const database = await openRunDatabase();
try {
  const service = await startBuiltService(database.url);
  const browser = await launchBrowser();
  try {
    const problems = await playAll(browser, service.baseUrl);
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.stdout.write(`The pictures are in ${FOLDER}\n`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  await database.drop();
}
