package dev.pawl.specification;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws commands of the command line. */
final class CommandPrograms {
    private CommandPrograms() {}

    /** Steps, of which one in five is a command on average. */
    static Arbitrary<Op> step(Programs.Theme theme) {
        return Arbitraries.frequencyOf(Tuple.of(4, Programs.step(theme)), Tuple.of(1, command()));
    }

    static Arbitrary<Op> command() {
        return Combinators.combine(
                        Arbitraries.of(ByCommand.Prints.class),
                        Arbitraries.frequencyOf(
                                Tuple.of(8, enqueue()),
                                Tuple.of(16, jobs()),
                                Tuple.of(5, queues()),
                                Tuple.of(6, settings()),
                                Tuple.of(6, schedules()),
                                Tuple.of(9, lists())))
                .as(ByCommand::new);
    }

    private static Arbitrary<Integer> job() {
        return Arbitraries.integers().between(0, 9);
    }

    private static Arbitrary<Command> enqueue() {
        return Arbitraries.frequencyOf(
                Tuple.of(7, Programs.options().map(EnqueueCommands.Enqueue::new)),
                Tuple.of(
                        1,
                        Combinators.combine(
                                        Arbitraries.of(
                                                        Opt.KIND_B,
                                                        Opt.QUEUE_B,
                                                        Opt.LAST,
                                                        Opt.DELAY_10S,
                                                        Opt.TWO_ATTEMPTS,
                                                        Opt.EXPIRES_5S,
                                                        Opt.KEY_X,
                                                        Opt.COST_3,
                                                        Opt.TAG)
                                                .list()
                                                .ofMaxSize(3),
                                        Arbitraries.integers().between(1, 3),
                                        Arbitraries.of(false, false, true))
                                .as(EnqueueCommands.EnqueueLines::new)));
    }

    private static Arbitrary<Command> jobs() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        7,
                        Combinators.combine(
                                        Arbitraries.of(Change.class),
                                        job().list().ofMinSize(1).ofMaxSize(2))
                                .as(JobCommands.ChangeSome::new)),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        Arbitraries.of(Which.class),
                                        Arbitraries.of(Change.class),
                                        Arbitraries.of(false, true))
                                .as(JobCommands.ChangeAll::new)),
                Tuple.of(
                        3,
                        Combinators.combine(Arbitraries.of(Edit.class), job()).as(JobCommands.EditOne::new)),
                Tuple.of(
                        1,
                        Combinators.combine(job(), Arbitraries.of(StepOps.Takes.class))
                                .as(JobCommands.RetryFrom::new)),
                Tuple.of(1, job().map(JobCommands.Signal::new)),
                Tuple.of(1, Arbitraries.just(new JobCommands.Prune())));
    }

    private static Arbitrary<Command> queues() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        2,
                        Combinators.combine(Programs.queue(), Arbitraries.of(false, true))
                                .as(BatchCommands.Pause::new)),
                Tuple.of(1, Arbitraries.of(false, false, true).map(BatchCommands.PauseAll::new)),
                Tuple.of(
                        4,
                        Combinators.combine(
                                        Arbitraries.of(Op.BatchChange.class),
                                        Arbitraries.integers().between(0, 3))
                                .as(BatchCommands.ChangeBatch::new)),
                Tuple.of(1, job().map(BatchCommands.CancelWorkflow::new)));
    }

    private static Arbitrary<Command> settings() {
        Arbitrary<String> key = Arbitraries.of("x", "y");
        return Arbitraries.frequencyOf(
                Tuple.of(
                        2,
                        Combinators.combine(Arbitraries.of(LimitOp.Does.class), Arbitraries.of(LimitOp.About.class))
                                .as(SettingCommands.LimitOne::new)),
                Tuple.of(
                        1,
                        Combinators.combine(
                                        Programs.queue(), Arbitraries.integers().between(0, 3))
                                .as(SettingCommands.KeysAtOnce::new)),
                Tuple.of(1, Combinators.combine(Programs.queue(), key).as(SettingCommands.PauseKey::new)),
                Tuple.of(1, Combinators.combine(Programs.queue(), key).as(SettingCommands.ResumeKey::new)),
                Tuple.of(
                        1,
                        Combinators.combine(
                                        Arbitraries.of(RetentionOp.About.class),
                                        Arbitraries.of(RetentionOp.Keeps.class))
                                .as(SettingCommands.Retain::new)));
    }

    private static Arbitrary<Command> schedules() {
        Arbitrary<String> name = Arbitraries.of("s", "s", "t");
        Arbitrary<List<Opt>> options =
                Arbitraries.of(Opt.QUEUE_B, Opt.ONE_ATTEMPT, Opt.LAST).list().ofMaxSize(2);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        3,
                        Combinators.combine(
                                        name,
                                        Arbitraries.of(ScheduleOps.When.class),
                                        Arbitraries.of(ScheduleOps.Policy.class),
                                        options)
                                .as(ScheduleCommands.Add::new)),
                Tuple.of(
                        3,
                        Combinators.combine(Arbitraries.of(ScheduleOps.Does.class), name)
                                .as(ScheduleCommands.Change::new)),
                Tuple.of(
                        1,
                        Combinators.combine(name, Arbitraries.of(ScheduleOps.When.class))
                                .as(ScheduleCommands.ChangeTimes::new)),
                Tuple.of(1, Arbitraries.integers().between(0, 3).map(ScheduleCommands.FreeSlot::new)),
                Tuple.of(1, Arbitraries.of("numbers", "gaps").map(ScheduleCommands.FlushSlots::new)));
    }

    private static Arbitrary<Command> lists() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        3,
                        Combinators.combine(Arbitraries.of(Which.class), Arbitraries.of(false, true))
                                .as(ListCommands.ListJobs::new)),
                Tuple.of(5, job().map(ListCommands.ShowJob::new)),
                Tuple.of(1, Arbitraries.integers().between(0, 3).map(ListCommands.ShowBatch::new)),
                Tuple.of(3, Arbitraries.of(ListCommands.Shows.class).map(each -> each)));
    }
}
