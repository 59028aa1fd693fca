import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { type Asset, keptAsset, projectPath } from '../platform/index.js';

const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Assets of the page for trying calls. Read at the first request: most processes never serve it. */
@Injectable()
export class DocsAssets {
  private files?: ReadonlyMap<string, Asset>;

  find(file: string): Asset | undefined {
    this.files ??= readFiles();
    return this.files.get(file);
  }
}

function readFiles(): Map<string, Asset> {
  const { resolve } = createRequire(import.meta.url);
  const ofSwaggerUi = (file: string) => resolve(`swagger-ui-dist/${file}`);
  const ours = (file: string) => projectPath(`views/assets/docs/${file}`);
  const files: [name: string, path: string, contentType: string][] = [
    ['swagger-ui-bundle.js', ofSwaggerUi('swagger-ui-bundle.js'), SCRIPT],
    ['swagger-ui.css', ofSwaggerUi('swagger-ui.css'), STYLE],
    ['page.css', ours('page.css'), STYLE],
    ['page.js', ours('page.js'), SCRIPT],
    ['request-signer.js', ours('request-signer.js'), SCRIPT],
  ];
  return new Map(files.map(([name, path, type]) => [name, keptAsset(type, readFileSync(path))]));
}
