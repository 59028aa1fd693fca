import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { LanguageController } from './language.controller.js';

it.each([
  ['/returned?from=app', '/returned?from=app'],
  ['https://elsewhere.example/', '/'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/.//elsewhere.example', '/elsewhere.example'],
  ['/hosted/..//elsewhere.example', '/elsewhere.example'],
  ['/%2e/\\elsewhere.example', '/elsewhere.example'],
  ['x', '/'],
  ['', '/'],
])('a chosen language leads back to no other site: %j to %j', (back, path) => {
  const rawBody = Buffer.from(new URLSearchParams({ back }).toString());
  const answer = new LanguageController().choose({ rawBody } as unknown as Request, {} as Response);
  expect(answer).toEqual({ path });
});
