-- While held, questions about new journeys are due hours later, and so are their deadlines.
CREATE TABLE bench_hold (is_held boolean NOT NULL);
INSERT INTO bench_hold VALUES (false);

CREATE FUNCTION bench_hold_question() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT is_held FROM bench_hold) THEN
    NEW.next_attempt_at := NEW.next_attempt_at + interval '6 hours';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bench_hold_question BEFORE INSERT ON lender_questions
  FOR EACH ROW EXECUTE FUNCTION bench_hold_question();

CREATE FUNCTION bench_hold_journey() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT is_held FROM bench_hold) THEN
    NEW.offers_due_at := NEW.offers_due_at + interval '6 hours';
    NEW.offers_given_up_at := NEW.offers_given_up_at + interval '6 hours';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bench_hold_journey BEFORE INSERT ON journeys
  FOR EACH ROW EXECUTE FUNCTION bench_hold_journey();
