package dev.pawl.cli;

import dev.pawl.api.PawlException;
import dev.pawl.internal.words.ShardIds;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs a command that names several shards. One that names jobs is run on the shards of their ids, a listing or a change of all that match
 * on each shard, one after the other, and any other only on the shard of {@code --only}. A command itself knows one database; what it prints
 * is put together by {@link ShardOutput}.
 */
final class OverShards {
    /** The commands that mean the same on each shard. Not limits, for one: a limit is divided among shards, see ShardedQueue.setLimit. */
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
        if (command instanceof JobCommand) { // one job, which may be followed for long
            command.database().use(chosen.get(0));
            return command.call();
        }
        return each(chosen);
    }

    private List<ShardUrl> chosen() {
        if (command instanceof NamesJobs naming && !naming.jobIds().isEmpty()) {
            TreeSet<Integer> numbers =
                    naming.jobIds().stream().map(this::number).collect(Collectors.toCollection(TreeSet::new));
            return numbers.stream().map(number -> only(shards.get(number))).toList();
        }
        String only = command.database().only();
        if (only != null) {
            return List.of(named(only));
        }
        if (EACH.stream().noneMatch(type -> type.isInstance(command))) {
            throw new UsageException("'pawl " + Main.path(line).strip()
                    + "' is for one database: choose a shard with --only " + String.join("|", names()));
        }
        return shards;
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

    /** {@return the same shard, if {@code --only} does not name another one} */
    private ShardUrl only(ShardUrl shard) {
        String only = command.database().only();
        if (only != null && !named(only).equals(shard)) {
            throw new UsageException("--only " + only + " leaves out what is on shard " + shard.name());
        }
        return shard;
    }

    private int number(long jobId) {
        long number = ShardIds.shardOf(jobId);
        if (number < 0 || number >= shards.size()) {
            throw new UsageException("job " + jobId + " has an id of shard " + number
                    + ", and there are only the shards " + "0 to " + (shards.size() - 1) + ": name all of them");
        }
        return (int) number;
    }

    /** {@return 1 if the command failed on one of them; those that cannot be reached do not keep it from the others} */
    private int each(List<ShardUrl> chosen) throws Exception {
        PrintWriter out = command.out();
        ShardOutput all = new ShardOutput(command.output().isJson());
        command.collect(all);
        int exit = 0;
        try {
            List<ShardUrl> missing = new ArrayList<>();
            List<NotFoundException> why = new ArrayList<>();
            for (ShardUrl shard : chosen) {
                try {
                    exit = Math.max(exit, on(shard, all));
                } catch (NotFoundException e) {
                    missing.add(shard);
                    why.add(e);
                }
            }
            if (missing.size() == chosen.size()) {
                throw why.get(0);
            }
            command.database().knownElsewhere();
            for (ShardUrl shard : missing) {
                exit = Math.max(exit, again(shard, all));
            }
        } finally {
            command.collect(null);
        }
        all.print(out, command.output());
        return exit;
    }

    /** A queue may have jobs on another shard only, and is paused on all. Of what is still not found, there is nothing to change. */
    private int again(ShardUrl shard, ShardOutput all) throws Exception {
        try {
            return on(shard, all);
        } catch (NotFoundException e) {
            return 0;
        }
    }

    private int on(ShardUrl shard, ShardOutput all) throws Exception {
        command.database().use(shard);
        all.begin(shard.name());
        try {
            return command.call();
        } catch (UsageException | IllegalArgumentException e) {
            throw new UsageException(shard.name() + ": " + e.getMessage());
        } catch (PawlException | DatabaseOptions.CannotConnect e) {
            command.err().println("pawl: " + shard.name() + ": " + e.getMessage());
            return 1;
        }
    }
}
