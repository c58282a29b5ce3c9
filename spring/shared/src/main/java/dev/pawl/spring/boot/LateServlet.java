package dev.pawl.spring.boot;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A servlet that the container can create early: passes requests to another servlet while that is open, and otherwise answers 503. */
final class LateServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends @Nullable HttpServlet> opened;

    LateServlet(Supplier<? extends @Nullable HttpServlet> opened) {
        this.opened = opened;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        HttpServlet servlet = opened.get();
        if (servlet == null) {
            response.setHeader("Retry-After", "1");
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the application starts or stops");
        } else {
            servlet.service(request, response);
        }
    }
}
