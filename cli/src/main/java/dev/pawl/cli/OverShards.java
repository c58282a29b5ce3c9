package dev.pawl.cli;

import dev.pawl.api.PawlException;
import dev.pawl.internal.words.ShardIds;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs a command on one shard after the other, if its options name several shards. A command with job ids runs on the shards of these ids.
 * A listing, or a change of all matching jobs, runs on each shard. A {@link ShardPlaced} command chooses its shard. Any other command runs
 * only on the shard of {@code --only}. The command itself uses one database at a time; {@link ShardOutput} combines its output.
 */
final class OverShards {
    /**
     * The commands that have the same meaning on each shard. Setting a limit is not one of them, because a limit is divided among the
     * shards, see ShardedQueue.setLimit.
     */
    private static final Set<Class<? extends CliCommand>> EACH = Set.of(
            JobsCommand.class,
            FailuresCommand.class,
            QueuesCommand.class,
            WorkersCommand.class,
            BatchesCommand.class,
            WorkflowsCommand.class,
            SchedulesCommand.class,
            LimitsCommand.class,
            RetentionsCommand.class,
            SlotsCommand.class,
            DoctorCommand.class,
            ChangeJobs.class,
            FailureGroupCommand.class,
            PauseCommand.OfQueue.class,
            PauseCommand.OfKind.class,
            PauseCommand.All.class,
            ResumeCommand.OfQueue.class,
            ResumeCommand.OfKind.class,
            ResumeCommand.All.class,
            SetRetentionCommand.class,
            RemoveCommand.OfRetention.class,
            MigrateCommand.class,
            PruneCommand.class);

    private final CliCommand command;
    private final CommandLine line;
    private final List<ShardUrl> shards;

    /** Whether the command has completed on a shard, and so may have changed something. */
    private boolean hasEnded;
    /** Whether the command has completed on a shard that knows its names. */
    private boolean isKnown;

    private OverShards(CliCommand command, CommandLine line, List<ShardUrl> shards) {
        this.command = command;
        this.line = line;
        this.shards = shards;
    }

    /** {@return the exit code of a call, on one database or on several} */
    static int execute(ParseResult parsed) {
        List<CommandLine> words = parsed.asCommandLineList();
        CommandLine line = words.get(words.size() - 1);
        boolean isHelp = words.stream().anyMatch(each -> each.isUsageHelpRequested() || each.isVersionHelpRequested());
        Object object = line.getCommand();
        if (isHelp || !(object instanceof CliCommand command) || !command.needsDatabase()) {
            return new RunLast().execute(parsed);
        }
        try {
            List<ShardUrl> shards = command.database().shards();
            return shards.isEmpty() ? new RunLast().execute(parsed) : new OverShards(command, line, shards).run();
        } catch (ExecutionException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException(line, "a command over shards failed", e);
        }
    }

    private int run() throws Exception {
        if (command instanceof ShardPlaced placed) {
            command.database().use(only(placed.place(shards)));
            return command.call();
        }
        List<ShardUrl> chosen = chosen();
        if (command instanceof JobCommand || isForOne()) { // its output may be continuous, or meant for another program
            command.database().use(chosen.get(0));
            return command.call();
        }
        return each(chosen);
    }

    private List<ShardUrl> chosen() {
        if (command instanceof NamesJobs naming && !naming.routingIds().isEmpty()) {
            TreeSet<Integer> numbers =
                    naming.routingIds().stream().map(this::number).collect(Collectors.toCollection(TreeSet::new));
            return numbers.stream().map(number -> only(shards.get(number))).toList();
        }
        String only = command.database().only();
        if (only != null) {
            return List.of(named(only));
        }
        if (!isForEach()) {
            throw new UsageException("'pawl " + Main.path(line).strip()
                    + "' is for one database: choose a shard with --only " + String.join("|", names()));
        }
        return shards;
    }

    private boolean isForEach() {
        return EACH.stream().anyMatch(type -> type.isInstance(command));
    }

    /** {@return whether the command runs only on the shard of {@code --only}} */
    private boolean isForOne() {
        return !isForEach() && !(command instanceof NamesJobs);
    }

    private List<String> names() {
        return shards.stream().map(ShardUrl::name).toList();
    }

    private ShardUrl named(String only) {
        return shards.stream()
                .filter(each -> each.name().equals(only))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "there is no shard '" + Texts.cut(only) + "': there are " + String.join(", ", names())));
    }

    /** {@return the shard} Refuses it if {@code --only} names another one. */
    private ShardUrl only(ShardUrl shard) {
        String only = command.database().only();
        if (only != null && !named(only).equals(shard)) {
            throw new UsageException("--only " + only + " leaves out what is on shard " + shard.name());
        }
        return shard;
    }

    private int number(long jobId) {
        if (jobId < 0) {
            throw new UsageException("no job has the id " + jobId + ": ids are positive");
        }
        long number = ShardIds.shardOf(jobId);
        if (number >= shards.size()) {
            throw new UsageException("job " + jobId + " has an id of shard " + number
                    + ", and there are only the shards " + "0 to " + (shards.size() - 1) + ": name all of them");
        }
        return (int) number;
    }

    /** {@return 1 if the command failed on a shard} A shard that cannot be reached does not keep the command from the others. */
    private int each(List<ShardUrl> chosen) throws Exception {
        PrintWriter out = command.out();
        ShardOutput all = new ShardOutput(command.output().isJson());
        command.collect(all);
        try {
            int exit = 0;
            Map<ShardUrl, NotFoundException> missing = new LinkedHashMap<>();
            for (ShardUrl shard : chosen) {
                try {
                    exit = Math.max(exit, on(shard, all, shard.equals(chosen.get(0))));
                } catch (NotFoundException e) {
                    missing.put(shard, e);
                }
            }
            if (missing.size() == chosen.size()) {
                throw missing.values().iterator().next();
            }
            exit = Math.max(exit, missing(missing, all));
            hasEnded = true;
            return exit;
        } finally {
            command.collect(null);
            if (hasEnded) { // even after an unexpected failure: the changes on earlier shards are committed
                all.print(out, command.output());
            }
        }
    }

    /**
     * Repeats the command on shards that do not know its names, if another shard knows them. For example, a queue that has jobs on only one
     * shard is paused on all shards. If no shard knows them, they may be typos.
     */
    private int missing(Map<ShardUrl, NotFoundException> missing, ShardOutput all) throws Exception {
        int exit = 0;
        if (isKnown) {
            command.database().knownElsewhere();
            for (ShardUrl shard : missing.keySet()) {
                exit = Math.max(exit, again(shard, all));
            }
            return exit;
        }
        for (Map.Entry<ShardUrl, NotFoundException> each : missing.entrySet()) {
            exit = failed(each.getKey(), each.getValue());
        }
        return exit;
    }

    /** Accepts that a shard without the named thing has nothing to change. */
    private int again(ShardUrl shard, ShardOutput all) throws Exception {
        try {
            return on(shard, all, false);
        } catch (NotFoundException e) {
            return 0;
        }
    }

    /** @param isFirst whether no earlier shard was changed, so that a usage error may end the command */
    private int on(ShardUrl shard, ShardOutput all, boolean isFirst) throws Exception {
        command.database().use(shard);
        all.begin(shard.name());
        try {
            int exit = command.call();
            hasEnded = true;
            isKnown |= !command.database().isUnverified();
            return exit;
        } catch (UsageException | IllegalArgumentException e) {
            if (isFirst) {
                throw new UsageException(shard.name() + ": " + words(e), e);
            }
            return failed(shard, e);
        } catch (PawlException | DatabaseOptions.CannotConnect e) {
            return failed(shard, e);
        }
    }

    private int failed(ShardUrl shard, RuntimeException why) {
        PrintWriter err = command.err();
        if (Main.isVerbose(line)) {
            why.printStackTrace(err);
        }
        err.println("pawl: " + shard.name() + ": " + words(why));
        return 1;
    }

    private static String words(RuntimeException why) {
        String message = String.valueOf(why.getMessage());
        return why instanceof IllegalArgumentException ? Texts.inShort(message) : message;
    }
}
