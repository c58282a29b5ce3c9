package dev.pawl.specification.faults;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.LeaseLostException;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.specification.Breakable;
import dev.pawl.specification.Difference;
import dev.pawl.specification.How;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;
import java.util.List;

/** A step that may fail. Afterwards the model adopts the database's state if it is an allowed one. */
final class Guarded {
    private final Op step;
    private final Real real;
    private final Model model;
    private final JdbcFaults faults;

    Guarded(Op step, Real real, Model model) {
        this.step = step;
        this.real = real;
        this.model = model;
        this.faults = ((FaultyStage) real.stage).faults();
    }

    /** {@return whether the step has finished, and its client is alive} */
    boolean run() throws SQLException {
        Model before = model.copy();
        List<Real.Held> runs = List.copyOf(real.runs);
        Throwable failure = null;
        boolean isOpen = false;
        try {
            attempt();
        } catch (SQLException | DatabaseException | Died failed) {
            failure = failed;
        } catch (Difference difference) {
            if (!skipsFailedPart() || faults.failed() == null) {
                throw difference;
            }
            isOpen = true;
        } catch (LeaseLostException lost) {
            if (faults.failed() == null) {
                throw lost;
            }
            isOpen = true; // the reply to the end of a run was lost
        } finally {
            faults.disarm();
        }
        boolean isDead = faults.hasKilled();
        if (isDead) {
            real.restart();
            model.restart();
        }
        if (failure != null) {
            requireClear(failure);
        }
        isOpen |= failure != null || (step instanceof Op.Duty && faults.failed() != null);
        if (isOpen && !(step instanceof Op.Claim)) {
            settle(before, runs);
        }
        if (isDead || step == Op.Duty.CRASH) {
            real.runs.clear();
        }
        if (isDead) {
            real.forgetSlots();
        }
        return failure == null && !isDead;
    }

    private void attempt() throws SQLException {
        if (step instanceof Op.Claim claim) {
            new BrokenClaim(claim, real, model).run();
        } else {
            step.on(real, model);
        }
    }

    /**
     * {@return whether the step may end without an exception although a call has failed} A duty leaves the failed part to its next run, and
     * a run whose transaction conflicted is released.
     */
    private boolean skipsFailedPart() {
        return step instanceof Op.Duty
                || (step instanceof Op.Ends end && end.how() == How.COMPLETE_IN_TRANSACTION)
                || (step instanceof Breakable breakable && breakable.skipsFailedPart());
    }

    private void requireClear(Throwable failure) {
        boolean isTransient = failure instanceof Died
                || (failure instanceof DatabaseException wrapped && wrapped.isTransient())
                || (failure instanceof SQLException sql && isTransient(sql));
        if (isTransient != faults.answer().isTransient()) {
            throw new Difference(
                    "a call has failed, and the exception says that it " + (isTransient ? "may" : "may not")
                            + " be tried again",
                    failure);
        }
    }

    private static boolean isTransient(SQLException failure) {
        return dev.pawl.internal.jdbc.Fault.of(failure).isTransient();
    }

    private void settle(Model before, List<Real.Held> runs) throws SQLException {
        Model done = step instanceof Op.Transaction && "commit".equals(faults.failed()) ? model.copy() : null;
        model.becomes(before);
        model.stepFailed();
        if (isSetting()) {
            again();
        } else {
            FailedStep.settle(step, real, model, done, runs);
        }
    }

    /**
     * Settings are not visible in the list of jobs. So the change is repeated, which gives the intended state whether or not it took effect
     * before.
     */
    private boolean isSetting() {
        return step instanceof Op.Pause
                || step instanceof Op.KeysAtOnce
                || step instanceof Op.PauseKey
                || step instanceof Op.ResumeKey
                || (step instanceof Breakable breakable && breakable.isRepeatable());
    }

    private void again() throws SQLException {
        if (step instanceof Op.Pause pause && !pause.pause()) {
            boolean unused = real.queue.admin().queues().resume(pause.queue());
            eitherOf(each -> each.resumeQueue(pause.queue(), true), each -> each.resumeQueue(pause.queue(), false));
        } else if (step instanceof Op.ResumeKey open) {
            boolean unused = real.queue.limits().resume(new ConcurrencyKey(open.queue(), open.key()));
            eitherOf(
                    each -> each.resumeKey(open.queue(), open.key(), true),
                    each -> each.resumeKey(open.queue(), open.key(), false));
        } else {
            step.on(real, model);
        }
    }

    private void eitherOf(FailedStep.Guess one, FailedStep.Guess other) throws SQLException {
        try {
            one.on(model.copy());
        } catch (Difference notThis) {
            other.on(model);
            return;
        }
        one.on(model);
    }
}
