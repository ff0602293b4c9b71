// Shows the notifications of a player's page; a tap opens that page.
"use strict";
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => page.url === event.notification.data);
      return open ? open.focus() : self.clients.openWindow(event.notification.data);
    }),
  );
});
