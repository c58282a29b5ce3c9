package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.BatchInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "batches",
        mixinStandardHelpOptions = true,
        description = "List batches, newest first, with progress; 'pawl batch' also shows nested batches.")
final class BatchesCommand extends CliCommand {
    @Mixin
    private BatchPage page = new BatchPage();

    @Override
    public Integer call() {
        page.check();
        try (DatabaseOptions.Session session = database().openExisting()) {
            page.print(
                    this,
                    session.queue()::batches,
                    List.of(
                            right("ID", BatchInfo::id),
                            left("STATE", BatchInfo::state),
                            left("NAME", batch -> Texts.cut(batch.name())),
                            right("JOBS", BatchInfo::jobs),
                            right("COMPLETED", BatchInfo::completed),
                            right("FAILED", BatchInfo::failed),
                            right("CANCELLED", BatchInfo::cancelled),
                            left("OPENED AT", batch -> Texts.time(batch.createdAt())),
                            left("DONE AT", batch -> Texts.time(batch.doneAt()))),
                    BatchesCommand::asJson,
                    "no batches");
            return 0;
        }
    }

    static Map<String, @Nullable Object> asJson(BatchInfo batch) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", batch.id());
        fields.put("parent", batch.parent());
        fields.put("name", batch.name());
        fields.put("state", batch.state());
        fields.put("jobs", batch.jobs());
        fields.put("completed", batch.completed());
        fields.put("failed", batch.failed());
        fields.put("cancelled", batch.cancelled());
        fields.put("createdAt", batch.createdAt());
        fields.put("sealedAt", batch.sealedAt());
        fields.put("stoppedAt", batch.stoppedAt());
        fields.put("doneAt", batch.doneAt());
        fields.put("pausedAt", batch.pausedAt());
        fields.put("canary", batch.canary());
        return fields;
    }
}
