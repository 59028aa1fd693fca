import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';

const PAGES = [
  'README.md',
  'deploy/README.md',
  ...readdirSync(projectPath('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const FOLDERS = [
  'src',
  'test',
  'bench',
  'examples',
  'migrations',
  'views',
  'config',
  'docs',
  'clients',
  'deploy',
];
const DECISION = /^\d{4}-.*\.md$/;

/** Expands `a/{b,c}.ts` to `a/b.ts` and `a/c.ts`. */
function expanded(path: string): string[] {
  const braces = /\{([^}]+)\}/.exec(path);
  if (!braces) return [path];
  return braces[1].split(',').flatMap((part) => expanded(path.replace(braces[0], part)));
}

/** The project's files and folders that a text names in backticks. */
function pathsIn(text: string): string[] {
  const named = text.matchAll(/`((?:[\w-]+\/)+[\w.{},/-]*)`/g);
  return [...named]
    .map(([, path]) => path)
    .filter((path) => FOLDERS.includes(path.split('/')[0]))
    .flatMap(expanded);
}

/** The link targets of a page that are project files, from the project's root. */
function linksIn(page: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target.split('#')[0])
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));
}

describe('README.md and docs', () => {
  it('name and link only files that exist', () => {
    const missing = PAGES.flatMap((page) => {
      const text = readFileSync(projectPath(page), 'utf8');
      return [...pathsIn(text), ...linksIn(page, text)]
        .filter((path) => !existsSync(projectPath(path)))
        .map((path) => `${page}: ${path}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('docs/adr/README.md', () => {
  it('lists every decision with its number and title, in order', () => {
    const index = readFileSync(projectPath('docs/adr/README.md'), 'utf8');
    const listed = [...index.matchAll(/^\| (\d+) +\| \[(.+)\]\((.+)\) +\|$/gm)];
    const decisions = readdirSync(projectPath('docs/adr')).filter((name) => DECISION.test(name));
    const expected = decisions.toSorted().map((name) => {
      const [title] = readFileSync(projectPath(`docs/adr/${name}`), 'utf8').split('\n');
      return [title, name];
    });
    expect(listed.map(([, number, title, name]) => [`# ${number}. ${title}`, name])).toEqual(
      expected,
    );
  });
});
