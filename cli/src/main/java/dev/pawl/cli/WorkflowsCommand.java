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
        name = "workflows",
        mixinStandardHelpOptions = true,
        description =
                "List workflows, newest first, and how many of their nodes have ended; 'pawl workflow' shows one.")
final class WorkflowsCommand extends CliCommand {
    @Mixin
    private BatchPage page = new BatchPage();

    @Override
    public Integer call() {
        page.check();
        try (DatabaseOptions.Session session = database().openExisting()) {
            page.print(
                    this,
                    session.queue()::workflows,
                    List.of(
                            right("ID", BatchInfo::id),
                            left("STATE", BatchInfo::state),
                            left("NAME", workflow -> Texts.cut(workflow.name())),
                            right("NODES", BatchInfo::jobs),
                            right("COMPLETED", BatchInfo::completed),
                            right("FAILED", BatchInfo::failed),
                            right("CANCELLED", BatchInfo::cancelled),
                            left("STARTED AT", workflow -> Texts.time(workflow.createdAt())),
                            left("DONE AT", workflow -> Texts.time(workflow.doneAt()))),
                    WorkflowsCommand::asJson,
                    "no workflows");
            return 0;
        }
    }

    static Map<String, @Nullable Object> asJson(BatchInfo workflow) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", workflow.id());
        fields.put("name", workflow.name());
        fields.put("state", workflow.state());
        fields.put("nodeCount", workflow.jobs());
        fields.put("completed", workflow.completed());
        fields.put("failed", workflow.failed());
        fields.put("cancelled", workflow.cancelled());
        fields.put("createdAt", workflow.createdAt());
        fields.put("doneAt", workflow.doneAt());
        return fields;
    }
}
