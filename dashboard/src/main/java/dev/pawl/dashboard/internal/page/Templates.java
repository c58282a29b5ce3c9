package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Databases;
import dev.pawl.dashboard.internal.web.Form;
import dev.pawl.dashboard.internal.web.RequestPipeline;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Renders pages as HTML. The templates are compiled into this jar; every value is escaped for its context. Thread-safe. */
public final class Templates implements RequestPipeline.Plain {
    private final TemplateEngine engine = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Templates.class.getClassLoader(), "dev.pawl.dashboard.internal.template");

    private final Status.Reader status;
    private final boolean canLeave;
    private final Databases databases;

    /**
     * @param snapshots of the queue, whose state is in the frame of each page
     * @param canLeave whether users log in, and so can log out
     * @param databases of the dashboard
     */
    public Templates(Snapshots snapshots, boolean canLeave, Databases databases) {
        this.status = new Status.Reader(snapshots);
        this.canLeave = canLeave;
        this.databases = databases;
    }

    /** {@return the state of the queue, which the frame of each page shows} */
    Status status() {
        return status.now();
    }

    Response page(Call call, String template, Map<String, ? extends @Nullable Object> values) {
        Frame frame = Frame.of(call, canLeave, status.soon(), databases);
        return Response.text(200, "text/html", render(template, frame, values));
    }

    private String render(String template, Frame frame, Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> all = new HashMap<>(values);
        all.put("frame", frame);
        StringOutput output = new StringOutput();
        engine.render(template + ".jte", all, output);
        return output.toString();
    }

    @Override
    public String refused(Request request, @Nullable Viewer viewer, String csrf, int status, String message) {
        Frame frame =
                new Frame(request, viewer, csrf, null, canLeave && viewer != null && !csrf.isEmpty(), null, databases);
        return render("refused", frame, Map.of("status", status, "message", message));
    }

    @Override
    public String login(Request request, String csrf, String message) {
        Frame frame = new Frame(request, null, csrf, null, false, null, databases);
        String back = Form.parse(request.query()).getOrDefault("back", "/");
        return render("login", frame, Map.of("message", message, "back", back));
    }
}
