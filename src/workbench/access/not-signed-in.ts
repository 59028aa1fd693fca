import type { NoVisitor } from './workbench-visitors.js';

/** Whoever asks for a page of the workbench has no session. */
export class NotSignedIn extends Error {
  constructor(readonly why: NoVisitor) {
    super(why);
    this.name = 'NotSignedIn';
  }
}
