/** A command that cannot be carried out; the message tells the administrator why. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}
