package dev.pawl.specification;

import static dev.pawl.specification.Op.enqueue;

import dev.pawl.api.Strategy;
import java.util.ArrayList;
import java.util.List;

/**
 * Regression programs of the command line, and two programs that use every command: one with JSON and one with text. All databases run
 * them.
 */
final class CommandSeeds {
    /** A change of a batch was printed as text even if JSON was requested. */
    private static final Program BATCH_IN_JSON = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.OpenBatch(true, false),
                    json(new BatchCommands.ChangeBatch(Op.BatchChange.SEAL, 0)),
                    new Op.StartWorkflow(Shape.CHAIN),
                    json(new BatchCommands.CancelWorkflow(0))));

    /** A job that is paused with its batch cannot be rescheduled. The command reported such a job as locked. */
    private static final Program PAUSED_WITH_ITS_BATCH = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN),
                    new Op.ChangeBatch(Op.BatchChange.PAUSE, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    json(new JobCommands.ChangeSome(Change.RESCHEDULE_1M, List.of(0)))));

    /** Jobs of one key are moved one by one: the first is released before the second arrives. */
    private static final Program MOVED_ONE_BY_ONE = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.KEY_X),
                    enqueue(Opt.KEY_X),
                    json(new JobCommands.ChangeSome(Change.MOVE_TO_B, List.of(1, 0)))));
    /** While all queues were paused, a queue with only finished or waiting jobs was shown as running. */
    private static final Program PAUSED_WITHOUT_JOBS = new Program(
            Strategy.LANES,
            List.of(
                    new LimitOp(LimitOp.Does.PAUSE_1M, LimitOp.About.QUEUE_B),
                    enqueue(),
                    new Op.One(Op.Person.CANCEL, 0),
                    new PauseAll(true),
                    json(ListCommands.Shows.QUEUES)));

    static final List<Program> ALL = List.of(
            MOVED_ONE_BY_ONE,
            BATCH_IN_JSON,
            PAUSED_WITH_ITS_BATCH,
            PAUSED_WITHOUT_JOBS,
            new Program(Strategy.LANES, everyCommand(ByCommand.Prints.JSON)),
            new Program(Strategy.ROWS, everyCommand(ByCommand.Prints.TEXT)));

    private CommandSeeds() {}

    private static Op json(Command command) {
        return new ByCommand(ByCommand.Prints.JSON, command);
    }

    private static List<Op> everyCommand(ByCommand.Prints prints) {
        List<Op> steps = new ArrayList<>(List.of(
                new Op.OpenBatch(true, false),
                new Op.StartWorkflow(Shape.CHAIN),
                enqueue(Opt.IN_BATCH, Opt.KEY_X),
                enqueue(Opt.UNIQUE_KEPT),
                new Op.Claim("default", Op.Kinds.BOTH, 2),
                new StepOps.Take(0, StepOps.Takes.STEP_ONE),
                new Op.Ends(0, How.FAIL),
                new Op.Ends(0, How.COMPLETE),
                new SlotOps.Reserve("numbers")));
        commands().forEach(command -> steps.add(new ByCommand(prints, command)));
        return steps;
    }

    private static List<Command> commands() {
        List<Command> all = new ArrayList<>();
        for (Opt opt :
                List.of(Opt.SECRET, Opt.EXPIRES_1M, Opt.RETRY_7S, Opt.UNIQUE_1M, Opt.AT_9000, Opt.FORGED_MEMBER)) {
            all.add(new EnqueueCommands.Enqueue(List.of(opt)));
        }
        all.add(new EnqueueCommands.Enqueue(List.of(Opt.UNIQUE, Opt.REPLACE, Opt.TAG, Opt.LAST)));
        all.add(new EnqueueCommands.EnqueueLines(List.of(Opt.KEY_X), 2, false));
        all.add(new EnqueueCommands.EnqueueLines(List.of(Opt.KEY_X), 2, true));
        all.addAll(List.of(ListCommands.Shows.values()));
        all.add(new ListCommands.ShowBatch(0));
        all.add(new JobCommands.RetryFrom(0, StepOps.Takes.STEP_ONE));
        all.add(new JobCommands.Signal(0));
        for (Edit edit : Edit.values()) {
            all.add(new JobCommands.EditOne(edit, 0));
        }
        for (int job = 0; job < 4; job++) {
            all.add(new ListCommands.ShowJob(job));
        }
        boolean first = true;
        for (Which which : Which.values()) {
            all.add(new ListCommands.ListJobs(which, first));
            first = !first;
        }
        for (boolean pause : new boolean[] {true, false}) {
            all.add(new BatchCommands.Pause("default", pause));
            all.add(new BatchCommands.PauseAll(pause));
        }
        for (Op.BatchChange change : Op.BatchChange.values()) {
            all.add(new BatchCommands.ChangeBatch(change, 0));
        }
        all.add(new BatchCommands.CancelWorkflow(0));
        for (LimitOp.Does does : LimitOp.Does.values()) {
            all.add(new SettingCommands.LimitOne(does, LimitOp.About.KIND_A));
        }
        all.add(new SettingCommands.KeysAtOnce("default", 2));
        all.add(new SettingCommands.PauseKey("default", "x"));
        all.add(ListCommands.Shows.LIMITS_KEYS);
        all.add(new SettingCommands.ResumeKey("default", "x"));
        for (RetentionOp.Keeps keeps : RetentionOp.Keeps.values()) {
            all.add(new SettingCommands.Retain(RetentionOp.About.KIND_B, keeps));
            all.add(ListCommands.Shows.RETENTION);
        }
        all.add(new ScheduleCommands.Add(
                "s", ScheduleOps.When.EVERY_HOUR, ScheduleOps.Policy.ONCE_SKIP, List.of(Opt.QUEUE_B)));
        all.add(new ScheduleCommands.ChangeTimes("s", ScheduleOps.When.AT_3));
        all.add(ListCommands.Shows.SCHEDULES);
        for (ScheduleOps.Does does : List.of(
                ScheduleOps.Does.PAUSE, ScheduleOps.Does.RESUME, ScheduleOps.Does.RUN_NOW, ScheduleOps.Does.REMOVE)) {
            all.add(new ScheduleCommands.Change(does, "s"));
        }
        all.add(new ScheduleCommands.FreeSlot(0));
        all.add(ListCommands.Shows.SLOTS);
        all.add(new ScheduleCommands.FlushSlots("numbers"));
        for (Change change : Change.values()) {
            all.add(new JobCommands.ChangeSome(change, List.of(0, 1, 0)));
            all.add(new JobCommands.ChangeAll(Which.OF_KIND_B, change, true));
        }
        all.add(new JobCommands.Prune());
        return all;
    }
}
